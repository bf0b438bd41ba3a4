/* Sanitizers make a case some ten times as slow: with them there are fewer random ones. */
#ifndef TESTS_SANITIZER_H
#define TESTS_SANITIZER_H

#if defined(__has_feature)
#  define HAS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#  define HAS_SANITIZER 1
#else
#  define HAS_SANITIZER 0
#endif

/** Cases of a test: all of them as plain C, a third as C++ and with sanitizers. */
#if HAS_SANITIZER || defined(__cplusplus)
#  define OF_CASES(n) (((n) + 2) / 3)
#else
#  define OF_CASES(n) (n)
#endif

#endif

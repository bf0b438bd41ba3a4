# usage: page.sh PROGRAM EXPECTED. The program prints what is expected; without CUDA it says so, and is skipped.
export LC_ALL=C
said=$("$1" 2>&1)
case $said in
    "there is no "* | *CUDA_ERROR_NO_DEVICE*) echo "skipped: $said"; exit 77 ;;
esac
printf '%s\n' "$said" | diff - "$2"

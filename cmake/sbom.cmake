# The bill of materials of what is installed, as SPDX 2.3: tessera has no code of others in it, and the rows of this table are
# what it may use beside the C library.

# a package, its licence, and the variable that says whether this build links it; `loaded` is looked for when a program runs
set(tessera_uses
    "libpng|libpng-2.0|PNG_FOUND"
    "MPI|NOASSERTION|MPI_C_FOUND"
    "CUDA driver|LicenseRef-NVIDIA|loaded"
    "NVRTC|LicenseRef-NVIDIA|loaded"
    "NCCL|BSD-3-Clause|loaded")

set(packages "")
set(relations "")
set(number 0)
foreach(row IN LISTS tessera_uses)
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 1 licence)
    list(GET row 2 found)
    math(EXPR number "${number} + 1")
    string(APPEND packages ",
    { \"SPDXID\": \"SPDXRef-${number}\", \"name\": \"${name}\", \"downloadLocation\": \"NOASSERTION\",
      \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"${licence}\" }")
    if(${found})
        string(APPEND relations ",
    { \"spdxElementId\": \"SPDXRef-tessera\", \"relationshipType\": \"DYNAMIC_LINK\",
      \"relatedSpdxElement\": \"SPDXRef-${number}\" }")
    else()
        string(APPEND relations ",
    { \"spdxElementId\": \"SPDXRef-${number}\", \"relationshipType\": \"OPTIONAL_DEPENDENCY_OF\",
      \"relatedSpdxElement\": \"SPDXRef-tessera\" }")
    endif()
endforeach()
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC) # of SOURCE_DATE_EPOCH, where that is set
file(WRITE ${PROJECT_BINARY_DIR}/tessera.spdx.json "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"tessera-${PROJECT_VERSION}\",
  \"documentNamespace\": \"https://spdx.org/spdxdocs/tessera-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}\",
  \"creationInfo\": { \"created\": \"${created}\", \"creators\": [\"Tool: tessera-cmake\"] },
  \"hasExtractedLicensingInfos\": [
    { \"licenseId\": \"LicenseRef-NVIDIA\", \"name\": \"NVIDIA's licence\",
      \"extractedText\": \"The licence that NVIDIA gives with the CUDA toolkit and the driver.\" }
  ],
  \"packages\": [
    { \"SPDXID\": \"SPDXRef-tessera\", \"name\": \"tessera\", \"versionInfo\": \"${PROJECT_VERSION}\",
      \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"Apache-2.0\",
      \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"The tessera contributors\" }${packages}
  ],
  \"relationships\": [
    { \"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\",
      \"relatedSpdxElement\": \"SPDXRef-tessera\" }${relations}
  ]
}
")
install(FILES ${PROJECT_BINARY_DIR}/tessera.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})

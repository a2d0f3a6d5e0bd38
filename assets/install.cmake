# What "cmake --install" puts where, and the Debian package that cpack makes of it.
include(GNUInstallDirs)
install(TARGETS vindecode RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES assets/vindecode.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES assets/completions/vindecode DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES assets/completions/vindecode.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md assets/result.schema.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# Where zsh looks depends on who installs: a package, or a person under /usr/local.
install(CODE [[
  if(CMAKE_INSTALL_PREFIX MATCHES "/usr/?$")
    set(folder vendor-completions)
  else()
    set(folder site-functions)
  endif()]])
install(CODE "file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\" TYPE FILE
                   FILES \"${PROJECT_SOURCE_DIR}/assets/completions/_vindecode\")")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vindecode)
set(CPACK_PACKAGE_VENDOR "the vindecode authors")
set(CPACK_PACKAGE_CONTACT "the vindecode authors <vindecode@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS ncurses-base)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "decode vehicle identification numbers with NHTSA's vPIC service\n vindecode asks NHTSA's public vPIC service what vehicle a VIN belongs to, on a\n screen or in scripts, and waits when it is asked to: it reads Retry-After and\n every form of RateLimit headers, paces itself, and says at each moment what it\n waits for, until when and why.")
include(CPack)

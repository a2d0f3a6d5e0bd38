# Behind cli.cmake in the alphabet, which has the function.
cli_test(nginx_quota slow)

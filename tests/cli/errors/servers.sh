# A server that cannot start says in one line which option, what of it, and what to do.
aisp mcp serve --port 1; echo $?
aisp mcp serve --http --token-file token; echo $?
aisp dashboard serve --token-file token; echo $?
echo short >token; chmod 600 token
aisp dashboard serve --token-file token; echo $?
echo 0123456789abcdef0123456789abcdef >token; chmod 644 token
aisp dashboard serve --token-file token; echo $?
aisp dashboard serve --listen 300.1.1.1; echo $?
aisp dashboard serve --port 65536; echo $?

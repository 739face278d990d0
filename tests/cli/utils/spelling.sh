# The tool may be named by --tool, as in other suites; what follows is the same command.
aisp utils kv-cache --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8 >plain
aisp utils --tool kv-cache -- --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8 | diff plain - && echo same
aisp utils --tool kv-cache --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8 | diff plain - && echo same
aisp utils --tool=kv-cache -- --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8 | diff plain - && echo same
aisp utils --tool kv-cach -- --layers 80
aisp utils --tool kv-cache -- --layer 80

# A model may be a file that states its shape; a mistake in it is named.
cat >small.json <<'EOF'
{"layers": 16, "hidden": 2048, "vocab": 128256, "heads": 32, "kv_heads": 8, "head_dim": 64, "ffn": 8192}
EOF
aisp utils kv-cache --model small.json --tokens 1024 --dtype bf16 --weight-dtype bf16
sed 's/kv_heads/kv_head/' small.json >misspelt.json
aisp utils kv-cache --model misspelt.json --tokens 1024 --dtype bf16
sed 's/"ffn": 8192/"experts": 8/' small.json >experts.json
aisp utils kv-cache --model experts.json --tokens 1024 --dtype bf16
sed 's/8192/"wide"/' small.json >text.json
aisp utils kv-cache --model text.json --tokens 1024 --dtype bf16
echo '{"layers": 16' >broken.json
aisp utils kv-cache --model broken.json --tokens 1024 --dtype bf16
aisp utils kv-cache --model none.json --tokens 1024 --dtype bf16

# A size that variants or the truth cannot have is refused before anything is started: what blocks, buffers, sums and fills hold is declared.
refused() {
    aisp bench run -t "$@"
    echo $?
}
refused ch16:weight_only_quant --set cols=4100
refused ch19:fp4_weights --set rows=2050
refused ch17:kv_transfer --set dim=24
refused ch17:kv_transfer --set dim=48 --set tokens=1000
refused ch16:prefix_cache --set dim=97
refused ch17:kv_transfer --set tokens=4096
refused ch17:early_rejection --set dim=33
refused ch15:moe_dispatch --set experts=8
refused ch15:continuous_batching --set dim=4096
refused ch15:speculative_decoding --set dim=1024
refused ch13:caching_allocator --set layers=25
refused ch10:persistent_kernel --set samples=268436
refused ch05:file_read --set cols=4100
refused ch04:pipeline_schedule --set width=2048
refused ch04:pipeline_schedule --set batch=2047
refused ch04:allreduce --set n=523777
refused ch04:allreduce --set ranks=1
refused ch04:gradient_fusion --set length=1310
refused ch04:gradient_fusion --set ranks=1
refused ch08:top_k --set k=20000
refused ch09:gemm_bf16 --set n=1
refused ch17:routing_policy --set dim=7
refused ch12:graph_replay --set steps=321
refused ch13:activation_checkpointing --set layers=65
refused ch16:chunked_prefill --set dim=129
refused ch11:priority_latency --set dim=513
refused ch15:serve_in_flight --set dim=1025

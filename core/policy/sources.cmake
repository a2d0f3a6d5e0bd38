room(policy
     SOURCES policy.c quota_headers.c header_value.c ratelimit_field.c structured_field.c http_date.c retry_planner.c
             backoff.c deadline.c latency_window.c token_bucket.c circuit_breaker.c host_gate.c pacing.c
     NEEDS core_base)

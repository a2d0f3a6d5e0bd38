room(policy
     SOURCES policy.c quota_headers.c structured_field.c http_date.c retry_planner.c backoff.c latency_window.c
             deadline.c token_bucket.c circuit_breaker.c host_gate.c pacing.c
     NEEDS core_base)

#include "core/engine/engine_state.h"

/* The give-up alert: more than 20 % of the last 50 finished flights were given up. A 429 that a retry mended is none.
 */

void host_rate_flight(struct engine *engine, bool given_up)
{
    struct host *host = &engine->host;
    engine->meter.flights_finished++;
    if (given_up) {
        engine->meter.give_up++;
    } else {
        engine->meter.success++;
    }
    host->given_up[host->rated_next] = given_up;
    host->rated_next = (host->rated_next + 1) % FLIGHTS_RATED;
    host->rated = host->rated < FLIGHTS_RATED ? host->rated + 1 : FLIGHTS_RATED;
}

bool host_alert(const struct host *host)
{
    size_t given_up = 0;
    for (size_t i = 0; i < host->rated; i++) {
        given_up += host->given_up[i];
    }
    return given_up * 5 > FLIGHTS_RATED;
}

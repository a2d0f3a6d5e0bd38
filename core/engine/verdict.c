#include "core/base/text.h"
#include "core/engine/engine_state.h"

/* A response -> what came of the call. Every transfer and every status has its outcome; there is no default. */

/* Its time had been cut by the budget, and nobody with a longer one has joined since (T41). */
static bool is_out_of_budget(const struct call *call)
{
    return call->cut && call->flight->deadline <= monotime_add(call->sent_at, call->timeout_ms);
}

static enum outcome outcome_of_transfer(enum transfer transfer, bool cut)
{
    switch (transfer) {
    case TRANSFER_ANSWERED:
        break;
    case TRANSFER_TIMEOUT:
        return cut ? OUTCOME_TIMEOUT_CUT : OUTCOME_TIMEOUT;
    case TRANSFER_REFUSED:
    case TRANSFER_UNREACHABLE:
    case TRANSFER_RESET:
    case TRANSFER_PARTIAL:
    case TRANSFER_DNS_FAILED:
        return OUTCOME_TRANSPORT;
    case TRANSFER_NO_SUCH_HOST:
    case TRANSFER_CERTIFICATE:
    case TRANSFER_UNSUPPORTED:
        return OUTCOME_CONFIG_ERROR;
    case TRANSFER_NOT_HTTP: /* No header that could be read: as T48. */
    case TRANSFER_BAD_HEADERS:
        return OUTCOME_BAD_HEADERS;
    case TRANSFER_TOO_LARGE:
        return OUTCOME_TOO_LARGE;
    case TRANSFER_ABORTED:
        return OUTCOME_CANCELLED;
    }
    return OUTCOME_STATUS;
}

/* A 200 for a flight: readable, and for the VIN that was asked about? A group's rows are judged one by one (T46). */
static enum outcome outcome_of_answer(const struct answer *answer, const struct flight *flight)
{
    if (answer->kind != ANSWER_VEHICLES) {
        return OUTCOME_BAD_BODY;
    }
    if (flight->count > 1) {
        return OUTCOME_OK;
    }
    size_t row = answer_row_of(answer, &flight->lookups->key);
    if (row == answer->count) {
        return OUTCOME_WRONG_VIN;
    }
    return vehicle_is_sparse(answer->vehicles[row]) ? OUTCOME_SPARSE : OUTCOME_OK;
}

static int64_t read_body_hint(const struct response *response)
{
    for (size_t i = 0; i < response->header_count; i++) {
        const struct header_field *field = &response->headers[i];
        if (text_is(field->name, field->name_length, "content-type")) {
            return body_hint_read(field->value, field->value_length, response->body, response->body_length);
        }
    }
    return QUOTA_UNKNOWN;
}

void verdict_read(const struct response *response, const struct call *call, struct verdict *out)
{
    *out = (struct verdict){.transfer = response->transfer,
                            .quota = quota_unknown(),
                            .body_hint_ms = QUOTA_UNKNOWN,
                            .answer.kind = ANSWER_EMPTY,
                            .received_wall = response->received_wall};
    out->outcome = outcome_of_transfer(response->transfer, call != NULL && is_out_of_budget(call));
    /* A header section that came whole counts, whatever became of the body: that it stalled does not unsay a quota. */
    bool has_header = response->transfer == TRANSFER_ANSWERED || response->transfer == TRANSFER_PARTIAL ||
                      response->transfer == TRANSFER_TOO_LARGE ||
                      (response->transfer == TRANSFER_TIMEOUT && response->status != 0);
    if (has_header) {
        out->status = response->status;
        quota_read(response->headers, response->header_count, response->received_wall, &out->quota);
    }
    if (response->transfer != TRANSFER_ANSWERED) {
        return;
    }
    if (response->status != 200) {
        out->body_hint_ms = read_body_hint(response);
    } else if (call != NULL) {
        answer_read(response->body, response->body_length, &out->answer);
        out->outcome = outcome_of_answer(&out->answer, call->flight);
    } else {
        out->outcome = OUTCOME_OK; /* Nobody asks what it says; the headers count. */
    }
}

void verdict_clear(struct verdict *verdict)
{
    answer_clear(&verdict->answer);
}

/** The headers of an answer that is a stream of server-sent events: no proxy stores it, packs it or holds it back. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Proxies close idle connections, so a comment is sent this often. */
export const heartbeatMs = 15_000

/** The stream to a person who lost access ends within 5 s (SPEC J3), so their rights are read this often. */
export const recheckMs = 3_000

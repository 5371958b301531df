/** Limits for messages that runs send with send_message. `attempts`: of one message. */
export const messageLimits = {
  characters: 4_000,
  ofRun: 20,
  ofChannelAMinute: 60,
  attempts: 3,
} as const

/** Permission for a call to send its message, or the reason for the refusal. */
export type Reservation = 'reserved' | 'run-full' | 'channel-full' | 'sent-before'

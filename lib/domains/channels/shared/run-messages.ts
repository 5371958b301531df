/** What runs may send to people with send_message. `attempts` of one message. */
export const messageLimits = {
  characters: 4_000,
  ofRun: 20,
  ofChannelAMinute: 60,
  attempts: 3,
} as const

/** Whether a call may send its message, or why not. */
export type Reservation = 'reserved' | 'run-full' | 'channel-full' | 'sent-before'

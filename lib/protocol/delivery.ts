/**
 * A message to people. `title` is one line; mail uses it as the subject. `data` is what a signed webhook receives, as
 * JSON.
 */
export type ChannelMessage = { title: string; text: string; data: Record<string, unknown> }

/**
 * What came of one attempt to send a message. `trouble` says what happened and what to do; null = nothing.
 * `isAccepted` with a trouble = some recipients were refused.
 */
export type Delivery = {
  isAccepted: boolean
  trouble: string | null
  /** So many seconds the receiver asks to wait; null = it asks for nothing. */
  retryAfterSeconds: number | null
}

/** Sends one message through a channel. */
export type SendToChannel = (channelId: string, message: ChannelMessage) => Promise<Delivery>

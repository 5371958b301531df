/**
 * A message to people. `title` is one line; mail uses it as the subject. `data` is what a signed webhook receives, as
 * JSON.
 */
export type ChannelMessage = { title: string; text: string; data: Record<string, unknown> }

/** The part of a message that people read. */
export type MessageText = Pick<ChannelMessage, 'title' | 'text'>

/**
 * Why an attempt did not succeed: the receiver took nothing, but may take it `later`; it will never take it as it is (`final`);
 * or nobody knows whether it took it (`unknown`).
 */
export type DeliveryFailure = 'later' | 'final' | 'unknown'

/**
 * Result of one attempt to send a message. `trouble` states the cause and the cure; null: none. `isAccepted` with a
 * trouble: some recipients were refused.
 */
export type Delivery = {
  isAccepted: boolean
  trouble: string | null
  /** Null = it is accepted. */
  failure: DeliveryFailure | null
  /** Status of the receiver's answer, by the numbers of HTTP or SMTP; null: no readable answer. */
  status: number | null
  /** Seconds that the receiver asks to wait; null: it asks for nothing. */
  retryAfterSeconds: number | null
}

/** Sends one message through a channel. */
export type SendToChannel = (channelId: string, message: ChannelMessage) => Promise<Delivery>

/** Returns the outcome of an attempt that failed. */
export function notDelivered(
  failure: DeliveryFailure,
  trouble: string,
  { status = null, retryAfterSeconds = null }: Partial<Delivery> = {},
): Delivery {
  return { isAccepted: false, trouble, failure, status, retryAfterSeconds }
}

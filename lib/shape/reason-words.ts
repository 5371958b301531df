import type { FieldShape } from './field-shape'

/** Error for freezing the site without a reason. */
export const freezeReason = 'Enter a reason. Everybody will see it.'

/** Error for a missing reason where no better sentence exists. */
export const reasonMissing = 'Enter a reason. It is stored in the audit.'

/** An optional reason for a change. */
export const reasonField = {
  kind: 'text',
  label: 'Reason',
  hint: 'Stored in the audit.',
  optional: true,
} as const satisfies FieldShape

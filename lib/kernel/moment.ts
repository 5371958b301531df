import { z } from 'zod'

const earliest = Date.UTC(1970, 0)
const tooLate = Date.UTC(10_000, 0)

/** A point in time from outside, ISO text with a zone: one that the database can hold. */
export const Moment = z.iso
  .datetime({ offset: true, error: 'Give a time like 2026-01-31T12:00:00Z.' })
  .refine((text) => {
    const at = Date.parse(text)
    return at >= earliest && at < tooLate
  }, 'Give a time from 1970 to 9999.')

import { z } from 'zod'

const earliest = Date.UTC(1970, 0)

/** A point in time from outside, ISO text with a zone: one that the database can hold. */
export const Moment = z.iso
  .datetime({ offset: true, error: 'Give a time like 2026-01-31T12:00:00Z.' })
  .refine((text) => Date.parse(text) >= earliest, 'Give a time after 1970.')

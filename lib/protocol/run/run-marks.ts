import { z } from 'zod'
import { cleanText } from '@/lib/words/clean-text'
import { formatCount } from '@/lib/words/format'

/** Limits for tags and notes of people on a run. The database has the same limits. */
export const markLimits = { tags: 10, tagCharacters: 32, noteCharacters: 2_000 } as const

/** A word to find runs by, as it is stored: one line in lower case, without spaces around it. */
export const RunTag = z
  .string()
  .max(1_000, 'The tag is too long.')
  .transform((text) =>
    cleanText(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
  )
  .pipe(
    z
      .string()
      .min(1, 'Enter a tag.')
      .max(markLimits.tagCharacters, `A tag has at most ${markLimits.tagCharacters} characters.`),
  )

/** Plain text about a run; "" removes it. */
export const RunNoteText = z
  .string()
  .max(20_000, 'The note is too long.')
  .transform((text) => cleanText(text).replaceAll('\r\n', '\n').trim())
  .pipe(
    z
      .string()
      .max(
        markLimits.noteCharacters,
        `A note has at most ${formatCount(markLimits.noteCharacters)} characters.`,
      ),
  )

/** The note of a run with the e-mail address of whoever wrote it last. `at` is ISO text in UTC. */
export const RunNote = z.object({ text: z.string(), by: z.string(), at: z.string() })
export type RunNote = z.infer<typeof RunNote>

import { z } from 'zod'
import { mostSiteBytes, tooLarge } from '@/app/(console)/(admin)/settings/site-file/most-site-bytes'

/** A site file as the console sends it. */
export const SiteFileText = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= mostSiteBytes, tooLarge)
  .refine((text) => text.trim() !== '', 'Pick a file, or paste one.')

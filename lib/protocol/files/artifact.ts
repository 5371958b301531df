import { z } from 'zod'

/** Shown and audited, never sent to the model (SPEC T3). `data` of an image is base64. */
export const Artifact = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), title: z.string(), text: z.string() }),
  z.object({
    type: z.literal('table'),
    title: z.string(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
  }),
  z.object({
    type: z.literal('image'),
    title: z.string(),
    mediaType: z.string(),
    data: z.string(),
  }),
])
export type Artifact = z.infer<typeof Artifact>

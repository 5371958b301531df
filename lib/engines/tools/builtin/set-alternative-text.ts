import { z } from 'zod'
import { mostTextCharacters, plainAlternativeText } from '@/lib/domains/storages/shared/asset'
import { defineTool } from '../define-tool'
import { assetUid, notPermitted, uidSchema } from '../storage-access'

export default defineTool({
  name: 'set_alternative_text',
  isPlain: true,
  description:
    'Sets the alternative text of one asset: what an image shows, in a sentence or two for whoever does not see it. It takes the ' +
    'place of the old one. Find the asset with search_files or browse_folder, and do not describe what you have not been told.',
  group: 'assets',
  parameters: z.object({
    uid: uidSchema(),
    text: z
      .string()
      .max(mostTextCharacters)
      .overwrite(plainAlternativeText)
      .min(1)
      .describe('The whole new text, in one line.'),
  }),
  enabledByDefault: false,
  requiresAdmin: false,
  needs: 'storage',
  effect: 'idempotent-write',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [`${mostTextCharacters.toLocaleString('en')} characters`],
  example: {
    uid: '0198a000-0000-7000-8000-000000000001',
    text: 'Two people in front of a whiteboard.',
  },
  look: {
    read: async ({ uid }, { resources }) => {
      const text = await resources.storages.textOf(assetUid(uid))
      if (text === null) throw notPermitted()
      return text === '' ? null : text
    },
    becomes: ({ text }) => text,
  },
  execute: async ({ uid: givenUid, text }, { resources, callId, signal }) => {
    const uid = assetUid(givenUid)
    signal.throwIfAborted()
    if (!(await resources.storages.describe({ uid, text, callId }))) throw notPermitted()
    return { content: { described: uid, text } }
  },
})

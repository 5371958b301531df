'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { ConflictError } from '@/lib/errors'
import { applySite } from '@/lib/site-file/apply-site'
import { planFingerprint } from '@/lib/site-file/plan-fingerprint'
import { planSite } from '@/lib/site-file/plan-site'
import { parseSiteFile } from '@/lib/site-file/site-file'
import type { Applied } from './agreement'
import { mostSiteBytes, tooLarge } from './most-site-bytes'
import { toPlanView } from './plan-view'

const Text = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= mostSiteBytes, tooLarge)
  .refine((text) => text.trim() !== '', 'Choose a file, or paste one.')

export const compareSiteFile = action(z.object({ text: Text }), 'admin', async (ctx, { text }) => {
  const plan = await planSite(ctx, parseSiteFile(text))
  return { plan: toPlanView(plan), fingerprint: planFingerprint(plan) }
})

const Agreed = z.object({
  text: Text,
  fingerprint: z.string().max(100),
  reason: z.string().trim().min(1, 'Say why.').max(500, 'A reason has at most 500 characters.'),
})

export const applySiteFile = action(
  Agreed,
  'admin',
  async (ctx, { text, ...options }): Promise<Applied> => {
    try {
      const { steps } = await applySite(ctx, parseSiteFile(text), options)
      return { type: 'applied', steps: steps.length }
    } catch (error) {
      // What stops it halfway is none: that says how far it came.
      if (error instanceof ConflictError) return { type: 'outdated', message: error.message }
      throw error
    }
  },
)

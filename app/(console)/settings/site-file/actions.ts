'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { applySite } from '@/lib/site-file/apply-site'
import { planFingerprint } from '@/lib/site-file/plan-fingerprint'
import { planSite } from '@/lib/site-file/plan-site'
import { parseSiteFile } from '@/lib/site-file/site-file'
import { toPlanView } from './plan-view'

const Text = z
  .string()
  .max(900_000, 'The file is larger than 900 KB. Apply it with: toolgate apply -f FILE')
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

export const applySiteFile = action(Agreed, 'admin', async (ctx, { text, fingerprint, reason }) => {
  const { steps } = await applySite(ctx, parseSiteFile(text), { fingerprint, reason })
  return { steps: steps.length }
})

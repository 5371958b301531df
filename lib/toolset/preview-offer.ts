import 'server-only'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import type { Verdict } from '@/lib/protocol/outcome'
import { decideTool } from '@/lib/runtime/policy/decide-tool'
import { readListings } from './list-tools'
import { loadSubject } from './load-subject'
import type { ToolListing } from './tool-listing'

/** Every tool with what the gates say for this person now, before anything is picked for a run. */
export async function previewOffer(ctx: Ctx): Promise<(ToolListing & { verdict: Verdict })[]> {
  const [listings, subject] = await Promise.all([
    readListings(),
    loadSubject(db(), { userId: ctx.actor.userId, snapshot: null, selected: null }),
  ])
  return listings.map((tool) => ({ ...tool, verdict: decideTool(tool, subject) }))
}

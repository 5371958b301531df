import 'server-only'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { firstWords } from '@/lib/words/clean-text'
import { installedTools } from './installed-tools'

/** A tool to pick by its name; `about`: the first words of its description. */
export type ToolName = { name: string; about: string }

/** Returns the tools of this installation by name, those that are off too. Admins only. */
export async function listToolNames(ctx: Ctx): Promise<ToolName[]> {
  requireRole(ctx, 'admin')
  const tools = await installedTools(db())
  return tools
    .map(({ name, description }) => ({ name, about: firstWords(description) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

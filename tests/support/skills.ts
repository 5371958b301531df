import { expect } from 'vitest'
import { db } from '@/lib/kernel/db'

/** Returns a SKILL.md; `more` are further lines of its front matter. */
export function skillText(name: string, more = '', body = `How to ${name}.\n`): string {
  return `---\nname: ${name}\n${more}---\n${body}`
}

/** Returns the line of front matter that lists these tools. */
export function lists(names: string): string {
  return `allowed-tools: [${names}]\n`
}

export async function auditedActions(): Promise<string[]> {
  const rows = await db().auditEntry.findMany({ orderBy: { id: 'asc' } })
  return rows.map(({ action }) => action)
}

/** Checks that the newest version of a skill is its current one, unless it waits to be accepted. */
export async function expectNewestCounts(): Promise<void> {
  for (const skill of await db().skill.findMany({ include: { versions: true } })) {
    const newest = Math.max(...skill.versions.map(({ version }) => version))
    expect(newest).toBe(skill.pendingVersion ?? skill.version)
  }
}

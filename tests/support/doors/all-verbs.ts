import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Verb } from '@/lib/edge/verb'

export type VerbDefinition = Verb['definition'] & { transaction?: unknown }
export type AnyVerb = Verb & { definition: VerbDefinition }

/** The sources of the product below `lib`. */
export const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /(?<!\.test|\.d)\.ts$/.test(file) && !file.startsWith('generated'),
)

/** Returns every verb that a module exports. Loads all modules that have some, which takes a busy machine a while. */
export async function loadVerbs(): Promise<AnyVerb[]> {
  const withVerbs = sources.filter(
    (file) =>
      file === 'joined-verbs.ts' ||
      /\b(verb\(\{|(resource|versioned)Verbs\(\w+, \{)/.test(readFileSync(`lib/${file}`, 'utf8')),
  )
  const verbs: AnyVerb[] = []
  for (const file of withVerbs) {
    const exported: object = await import(/* @vite-ignore */ resolve('lib', file))
    const values = Object.values(exported).flatMap((each) => [each, ...ofResource(each)])
    verbs.push(...values.filter(isVerb))
  }
  return verbs
}

/** Returns the operations of a resource, which are exported together. */
function ofResource(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

export function isVerb(value: unknown): value is AnyVerb {
  return typeof value === 'function' && 'definition' in value
}

import { z } from 'zod'
import { parseJsonPath } from '@/lib/words/json-text'

const ValuePath = z.string().superRefine((text, issues) => {
  const path = parseJsonPath(text)
  const message = path.ok
    ? path.steps.some(({ type }) => type === 'all') && 'Name one value: [*] leads to several.'
    : path.message
  if (message) issues.addIssue({ code: 'custom', message })
})

/**
 * Reads the target of a server tool's calls (SPEC G-W): `tool` is another tool of the server, which reads, by its name
 * there; `arguments` are its arguments, each a path into those of the call. `becomes` is the path to the text that the
 * call writes; null: the later text is not known before.
 */
export const RemoteLook = z.object({
  tool: z.string().min(1).max(256),
  arguments: z
    .record(z.string().min(1).max(200), ValuePath)
    .refine((paths) => Object.keys(paths).length <= 20, 'Give at most 20 arguments.'),
  becomes: ValuePath.nullable(),
})
export type RemoteLook = z.infer<typeof RemoteLook>

/** Returns the arguments of a look as people write them: "path=$.path". */
export function lookArgumentTexts({ arguments: paths }: Pick<RemoteLook, 'arguments'>): string[] {
  return Object.entries(paths).map(([name, path]) => `${name}=${path}`)
}

/** Reads arguments as people write them. What is not "name=path" has no path, which the server refuses. */
export function readLookArguments(texts: readonly string[]): RemoteLook['arguments'] {
  const pairs = texts.map((text): [string, string] => {
    const at = text.indexOf('=')
    return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}

import { TaskVariableName } from './task-variable'

/** A prompt in pieces: text as it is, and places where a variable's value goes. */
type TemplatePart = { type: 'text'; text: string } | { type: 'variable'; name: string }

/** `faults` are sentences about places that cannot be understood; each stands in `parts` as the text it is. */
export type Template = { parts: TemplatePart[]; faults: string[] }

/** More would say nothing new. */
const maxFaults = 10
const marker = /\{\{\{\{|\{\{([^{}]*)\}\}|\{\{/g

/**
 * Reads `{{name}}` as a variable and `{{{{` as two braces; everything else is text, single braces and `}}` too.
 * Linear in the text.
 */
export function parseTemplate(prompt: string): Template {
  const parts: TemplatePart[] = []
  const faults: string[] = []
  let from = 0
  for (const match of prompt.matchAll(marker)) {
    addText(parts, prompt.slice(from, match.index))
    from = match.index + match[0].length
    if (match[0] === '{{{{') {
      addText(parts, '{{')
      continue
    }
    const name = TaskVariableName.safeParse(match[1] ?? '')
    if (name.success) {
      parts.push({ type: 'variable', name: name.data })
      continue
    }
    addText(parts, match[0])
    if (faults.length < maxFaults) faults.push(faultOf(prompt, match.index))
  }
  addText(parts, prompt.slice(from))
  return { parts, faults }
}

/** The names a prompt uses, each once, in the order of their first place. */
export function templateNames({ parts }: Template): string[] {
  return [...new Set(parts.flatMap((part) => (part.type === 'variable' ? [part.name] : [])))]
}

/** Text that a template renders as itself. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '{{{{')
}

function addText(parts: TemplatePart[], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.type === 'text') last.text += text
  else parts.push({ type: 'text', text })
}

function faultOf(prompt: string, at: number): string {
  const line = prompt.slice(0, at).split('\n').length
  const excerpt = prompt.slice(at, at + 30).split('\n')[0]
  return (
    `Line ${line}: "${excerpt}" is not a variable. Write {{name}}. A name begins with a letter and contains only ` +
    'letters, digits and _. For two braces as text, write {{{{.'
  )
}

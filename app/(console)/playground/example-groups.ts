import { gateWords } from '@/components/trace/gate-words'
import { samplePrompts, samplePromptsFor } from '@/lib/protocol/sample-prompts'
import type { Denial, Role } from '@/lib/protocol/tool'
import { isPicked, type PickableTool, type Picked } from './tool-selection'

/** Step that an example needs first: an act with the page for it, or a sentence. */
export type MissingStep = { words: string; href: string | null }

/** A prompt to begin with. `missing` null = it can be run now. */
type Example = { prompt: string; missing: MissingStep | null }

/** Examples that show the same; `title` null = it needs none. */
export type ExampleGroup = { title: string | null; examples: Example[] }

type Question = {
  tools: readonly PickableTool[]
  picked: Picked
  role: Role
  /** The name of the first workspace that this person may use and tools may write in; null = there is none. */
  workspace: string | null
}

/** The workspace that the form suggests. */
const firstWorkspace = 'handbook'
const mostReads = 3

/** Returns prompts for models, of which each can work now. */
export function usualExamples({ tools, picked }: Question): ExampleGroup[] {
  return withExamples(null, samplePromptsFor(usableNames(tools, picked)).slice(0, mostReads), null)
}

/** Returns prompts for the demo by what they show, and for those that cannot work yet, what must be done first. */
export function demoExamples(question: Question): ExampleGroup[] {
  const { tools, picked, role } = question
  const usable = usableNames(tools, picked)
  if (usable.length === 0) return []
  const writes = writePrompts(question)
  const waits = writes.every(({ tool }) => !tool.verdict.allowed || tool.waits)
  const writeTitle = waits
    ? `A write that waits for ${role === 'admin' ? 'your ' : ''}approval`
    : 'A write'
  return [
    ...withExamples('Reads', readPrompts(usable), null),
    ...writes.slice(0, 1).map(() => ({
      title: writeTitle,
      examples: writes.map(({ prompt, tool }) => ({ prompt, missing: missingOf(tool, question) })),
    })),
    ...withExamples('A refused call', refusedPrompts(tools), null),
  ]
}

function withExamples(
  title: string | null,
  prompts: readonly string[],
  missing: MissingStep | null,
): ExampleGroup[] {
  if (prompts.length === 0) return []
  return [{ title, examples: prompts.map((prompt) => ({ prompt, missing })) }]
}

function usableNames(tools: readonly PickableTool[], picked: Picked): string[] {
  return tools.filter((tool) => isPicked(tool, picked)).map(({ name }) => name)
}

/** They find something on a new site, too. */
const firstReads = ['list_users', 'get_runtime_info', 'current_time', 'calculate']

/** Returns one prompt for each of the first tools: they show more than several for one tool. */
function readPrompts(usable: readonly string[]): string[] {
  return firstReads
    .filter((name) => usable.includes(name))
    .flatMap((name) => samplePrompts.filter(({ rounds }) => isOneCallOf(name, rounds)).slice(0, 1))
    .slice(0, mostReads)
    .map(({ prompt }) => prompt)
}

function isOneCallOf(name: string, rounds: (typeof samplePrompts)[number]['rounds']): boolean {
  return rounds.length === 1 && rounds[0]?.length === 1 && rounds[0][0]?.name === name
}

type WritePrompt = { prompt: string; tool: PickableTool }

function writePrompts({ tools, role, workspace }: Question): WritePrompt[] {
  const place = workspace ?? firstWorkspace
  const prompts = {
    write_file: `Write notes.md in ${place} with "Hello from the demo", then read it.`,
    ...(role === 'admin' && workspace !== null && { exec: `Run ls -la in ${place}` }),
    memory_write: 'Remember that reports are written in German.',
  }
  return Object.entries(prompts).flatMap(([name, prompt]) =>
    tools.filter((tool) => tool.name === name).map((tool) => ({ prompt, tool })),
  )
}

const rawTools = ['get_env_raw', 'get_runtime_info_raw']

/** Returns a prompt for a tool that a gate refuses, if there is one of those that are off at first. */
function refusedPrompts(tools: readonly PickableTool[]): string[] {
  const refused = tools.filter(({ name, verdict }) => rawTools.includes(name) && !verdict.allowed)
  return refused.slice(0, 1).map(({ name }) => `Use ${name} and show what it returns.`)
}

function missingOf(tool: PickableTool, { picked, role, workspace }: Question): MissingStep | null {
  const { name, verdict } = tool
  if (!verdict.allowed) return missingBehind(verdict, name, role)
  if (!isPicked(tool, picked)) {
    return { words: `Pick ${name} under Tools.`, href: null }
  }
  if (name === 'memory_write' || workspace !== null) return null
  return role === 'admin'
    ? { words: 'Let tools write in a workspace', href: '/resources/workspaces' }
    : { words: 'Ask an admin for a workspace.', href: null }
}

function missingBehind({ gate, part }: Denial, name: string, role: Role): MissingStep {
  const isAbsent = gate === 'registered'
  if (role !== 'admin') {
    const what = isAbsent ? 'add a workspace' : `allow ${name}`
    return { words: `Ask an admin to ${what}.`, href: null }
  }
  if (isAbsent && name === 'exec') {
    return { words: 'Allow a program', href: '/resources/programs' }
  }
  if (isAbsent) {
    return { words: 'Add a workspace', href: `/resources/workspaces?add=${firstWorkspace}` }
  }
  if (gate === 'enabled') return { words: `Switch on ${name}`, href: `/tools/${name}` }
  const about = { toolName: name, configurationId: null, userId: null, ...(part && { part }) }
  const { short, where } = gateWords(gate, about)
  return { words: where?.after ?? `${name}: ${short}.`, href: where?.href ?? null }
}

import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { ValidationError } from '@/lib/kernel/errors'
import { parsePlainYaml } from '@/lib/kernel/plain-yaml'
import type { JsonValue } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import {
  type FrontMatter,
  maxBodyBytes,
  maxBodyWords,
  maxFrontMatterBytes,
  type SkillFile,
  SkillName,
} from './schemas'
import { compareKeys, toolsKeys } from './shape'

const maxDescription = 1_024
const maxTools = 200
const maxToolName = 200
/** The two lines around the front matter and a byte order mark. */
const frameBytes = 1_024

/**
 * Reads the bytes of one SKILL.md: UTF-8, front matter of at most 8 KiB between two lines `---`, a body of at most
 * 256 KiB. Control characters are taken out, line ends become \n. Throws ValidationError with one sentence.
 */
export function parseSkill(bytes: Uint8Array): SkillFile {
  if (bytes.length > maxFrontMatterBytes + maxBodyBytes + frameBytes)
    refuse(`It is too long. The body may have up to ${maxBodyWords}.`)
  const { yaml, body } = splitFile(cleanText(decode(bytes)).replace(/\r\n?/g, '\n'))
  if (Buffer.byteLength(body) > maxBodyBytes) refuse(`Its body is longer than ${maxBodyWords}.`)
  const frontMatter = parseFrontMatter(yaml)
  return {
    name: nameOf(frontMatter),
    description: descriptionOf(frontMatter),
    allowedTools: allowedToolsOf(frontMatter),
    frontMatter,
    body,
    checksum: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('It is not UTF-8 text.')
  }
}

/**
 * Splits the file. Only plain `---` opens the front matter; a language after it would suggest that something is
 * executed.
 */
function splitFile(text: string): { yaml: string; body: string } {
  const [first = ''] = text.split('\n', 1)
  const language = /^---+\s*([^\s-].*)$/.exec(first)?.[1]
  if (language !== undefined) {
    refuse(
      `Its front matter names a language (${language.slice(0, 20)}). Only YAML between plain --- lines is read, and nothing in it is executed.`,
    )
  }
  if (first.trimEnd() !== '---') {
    refuse(
      'It does not start with front matter: a line ---, then name and description, then another line ---.',
    )
  }
  const rest = text.slice(first.length + 1)
  const end = /^---[ \t]*(?:\n|$)/m.exec(rest)
  if (!end) return refuse('Its front matter does not end: a line --- is missing.')
  return { yaml: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length) }
}

function nameOf({ name }: FrontMatter): string {
  if (name === undefined || name === null || name === '') refuse('Its front matter has no name.')
  const result = SkillName.safeParse(name)
  if (result.success) return result.data
  const [issue] = result.error.issues
  return refuse(typeof name === 'string' && issue ? issue.message : 'Its name is not text.')
}

function descriptionOf({ description }: FrontMatter): string {
  if (description === undefined || description === null) return ''
  if (typeof description !== 'string') return refuse('Its description is not text.')
  const trimmed = description.trim()
  if (trimmed.length > maxDescription) refuse('Its description has more than 1,024 characters.')
  return trimmed
}

/**
 * Returns the tools from a list of names, or a text with commas or spaces; absent = null, which does not limit (SPEC
 * G-S). A key that is meant as `allowed-tools` counts as it.
 */
function allowedToolsOf(frontMatter: FrontMatter): string[] | null {
  const [key, ...others] = toolsKeys(frontMatter)
  if (key === undefined) return null
  if (others.length > 0) {
    refuse(`It lists its tools more than once: ${[key, ...others].join(', ')}. Keep allowed-tools.`)
  }
  const names = toNames(frontMatter[key])
  if (names.length > maxTools) refuse(`Its allowed-tools has more than ${maxTools} names.`)
  if (names.some((name) => name.length > maxToolName)) {
    refuse(`A name in its allowed-tools has more than ${maxToolName} characters.`)
  }
  return [...new Set(names)]
}

function toNames(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return namesIn(value)
  if (Array.isArray(value)) return joined(value.map(toName))
  // This could mean "all" or "none".
  if (value === null) {
    refuse(
      'Its allowed-tools is empty. Write [] for no tools, or remove the key if the skill should not limit tools.',
    )
  }
  return refuse('Its allowed-tools must be a list of names, or one text with the names.')
}

/** Splits a text at commas and spaces that are not in parentheses: `Bash(git add *)` is one name. */
function namesIn(text: string): string[] {
  const names: string[] = []
  let name = ''
  let open = 0
  for (const letter of text) {
    if (letter === '(') open += 1
    if (letter === ')') open -= 1
    if (open === 0 && /[\s,]/.test(letter)) {
      names.push(name)
      name = ''
    } else name += letter
  }
  return closed([...names, name].filter((each) => each !== ''))
}

/** Puts together what YAML split at a comma in parentheses: `[Bash(a, b)]` is one name. */
function joined(items: readonly string[]): string[] {
  const names: string[] = []
  for (const item of items) {
    const last = names.at(-1)
    if (last !== undefined && openIn(last) > 0) names.splice(-1, 1, `${last}, ${item}`)
    else names.push(item)
  }
  return closed(names)
}

function closed(names: string[]): string[] {
  const open = names.find((name) => openIn(name) !== 0)
  if (open === undefined) return names
  return refuse(
    `Its allowed-tools has parentheses that do not match: ${JSON.stringify(open.slice(0, 100))}.`,
  )
}

/** Returns how many parentheses are not closed; less than 0 where more are closed than opened. */
function openIn(name: string): number {
  return name.split('(').length - name.split(')').length
}

function toName(item: JsonValue): string {
  if (typeof item === 'string' && item.trim() !== '') return item.trim()
  return refuse('Its allowed-tools contains something that is not a name.')
}

function refuse(sentence: string): never {
  throw new ValidationError({ file: sentence })
}

/**
 * Parses the front matter of a SKILL.md, at most 8 KiB of YAML for plain JSON. Nothing in it is executed. Throws
 * ValidationError with one sentence.
 */
function parseFrontMatter(text: string): FrontMatter {
  const subject = 'The front matter'
  if (Buffer.byteLength(text) > maxFrontMatterBytes) {
    throw new ValidationError({ file: `${subject} is longer than 8 KiB.` })
  }
  // Its first line is the second of the file.
  return parsePlainYaml(text, { subject, firstLine: 2 })
}

/**
 * Writes a SKILL.md that says the same as the parsed one, and the same text for all that say the same: comments,
 * quoting and the order of keys in the front matter are not kept.
 */
export function skillFileText({
  frontMatter,
  body,
}: Pick<SkillFile, 'frontMatter' | 'body'>): string {
  const yaml = stringify(frontMatter, {
    version: '1.2',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    sortMapEntries: (a, b) => compareKeys(String(a.key), String(b.key)),
  })
  return `---\n${yaml}---\n${body}`
}

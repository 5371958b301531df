import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { beginsLikeQuestion, listComments } from '@/tools/words/list-comments'
import { listTexts, type PlacedText } from '@/tools/words/list-texts'

// They parse every source, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

type Rule = { not: RegExp; but: string; except?: RegExp }

/** Words that readers had to read twice, and what is said instead. Text in `code` is left alone: it names fields. */
const glossary: readonly Rule[] = [
  { not: /\bwires?\b/i, but: 'API type', except: /^(ARCHITECTURE|docs.decisions)/ },
  {
    not: /\bmost (rounds|output tokens|tokens|tries)\b/i,
    but: 'Maximum rounds, Max output tokens per answer',
  },
  { not: /^of one answer\b|\. of one answer\b/i, but: 'Max output tokens per answer' },
  {
    not: /\d to [\d,]+; (empty|leave)|empty: /i,
    but: '1-50. Leave empty for 5 (from the configuration).',
    except: /^scripts.noun/,
  },
  { not: /\bas configured\b/i, but: 'from the configuration' },
  { not: /^then (warn|answer)\b/i, but: 'Warn only, Stop with a final answer' },
  { not: /\b(half|\d+ of 100) within\b|\bof 100 are within\b/i, but: 'Median (p50), p95' },
  { not: /\bnothing to compare with\b/i, but: 'No earlier data' },
  { not: /\brescue[sd]?\b/i, but: 'recovered by fallback' },
  { not: /\blet more out\b/i, but: 'Allow more data…' },
  { not: /\bmay be sent at most\b/i, but: 'Highest data class' },
  { not: /\bleast trusted\b/i, but: 'Lowest trust zone' },
  { not: /\bperson’?'?s word\b|\bword of a person\b/i, but: 'waiting for approval' },
  { not: /\bthe answer is no\b/i, but: 'After that, the call is denied.' },
  { not: /\bcan be had again\b/i, but: 'reproducible answers' },
  { not: /\bcomes to lead\b/i, but: 'Otherwise requests to private addresses are blocked.' },
  { not: /\bhere already\b/i, but: 'Added' },
  { not: /^counts$/i, but: 'Current' },
  { not: /\bnothing has this name\b/i, but: 'No matches' },
  { not: /\bused up \(/i, but: 'Daily site budget used up' },
  { not: /\bcontext tax\b/i, but: 'Prompt overhead of enabled tools' },
  {
    not: /\bwithout a budget nothing is limited\b/i,
    but: 'Without budgets, spending is unlimited.',
  },
  { not: /\bwill miss it\b/i, but: 'Give a reason: other people use this …' },
  { not: /\bbrought back\b|\bis back as version\b/i, but: 'restored' },
  { not: /\bwas so already\b/i, but: 'did not change' },
  { not: /\bnot yours to see\b/i, but: 'does not exist, or you may not see it' },
  { not: /\bfits? this (search|filter)\b/i, but: 'No matches' },
  { not: /\bno room left\b/i, but: 'used up' },
  { not: /\byes: registered\b/i, but: 'Allowed: installed, site not frozen, …' },
  { not: /\bruns? in (progress|flight)\b/i, but: 'active runs' },
  { not: /\bnot asked without\b/i, but: 'Gates not asked, because no configuration is picked' },
  { not: /\bchange it under tools\b/i, but: 'An admin can switch the tool on.' },
  { not: /\bnothing here for you\b/i, but: 'Page not found, or you don’t have access' },
  { not: /\bhow this site does\b/i, but: 'Open work, health and spending of this site.' },
  { not: /\bdays are those of\b/i, but: 'Days in UTC' },
  { not: /\byours stand here\b/i, but: '(left out)' },
  { not: /\bat least about\b/i, but: 'at least ~$0.0039' },
  { not: /\bdrawn shorter\b/i, but: '(left out)' },
  { not: /\bother form\b/i, but: 'Unexpected format' },
  { not: /^not asked yet$/i, but: 'not checked yet' },
  { not: /\bonce they are on, they are for\b/i, but: 'Runs of … may use the tools that are on.' },
  {
    not: /\btakes the definition as it is now\b/i,
    but: 'Accepting stores the current definition.',
  },
  { not: /^longest call\b/i, but: 'Call timeout (seconds)' },
  { not: /^a time at which no server is up$/i, but: 'Missed times' },
  { not: /^none: that of the task$|\balso one that is a panel\b/i, but: 'A task, or a prompt' },
  { not: /^used at all or not$|^any key or none$|^with or without\b/i, but: 'Any' },
  { not: /\bthe next try \(|\bfor the reason given at\b/i, but: 'Retry 1 in 400 ms.' },
  { not: /\bcanary that marks\b/i, but: 'the hidden mark of untrusted content' },
  { not: /^(checked it|ask again|calls itself)$/i, but: 'Checked, Reload models, Reported name' },
  { not: /\blasts until it resets\b/i, but: 'enough until the reset' },
]

test('no text uses words that the glossary replaces', () => {
  const texts = listTexts(process.cwd())
  expect(texts.length).toBeGreaterThan(3000)
  expect(texts.flatMap(violations)).toEqual([])
})

test('the sentence under the head of a page has at most ten words', () => {
  const heads = sources()
    .filter(({ file }) => /^app.*page\.tsx$/.test(file))
    .flatMap(({ file, source }) =>
      [
        ...source.matchAll(/>\s*([^<>{}]+?)\s*<\/PageHead>/g),
        ...source.matchAll(/\babout: *\n? *'([^']+)'/g),
        ...source.matchAll(/<ResourceListPage[^>]*\babout="([^"]+)"/g),
      ].map(([, text = '']) => ({ file, text: text.replace(/\s+/g, ' ') })),
    )
  expect(heads.length).toBeGreaterThan(30)
  expect(heads.filter(({ text }) => text.split(' ').length > 10)).toEqual([])
})

test('docstrings of functions begin with what the function does', () => {
  const docstrings = listFunctionDocstrings()
  expect(docstrings.length).toBeGreaterThan(1000)
  const isVerb = (word: string) => /^[A-Z][a-z-]*s$/.test(word) && !notVerbs.has(word)
  const advice = 'Begin the docstring with what the function does, such as "Returns …".'
  expect(
    docstrings.filter(({ first }) => !isVerb(first)),
    advice,
  ).toEqual([])
})

test('a docstring can be read without the one before it', () => {
  const same = /(Does|Returns) the same( as| for| in| of| with| without| where|,|\.)/
  const leaning = new RegExp(
    `^(Of |${same.source}|The same( as| for|\\.)|Returns (them|those|it) )`,
  )
  const advice = 'Name what it is about, instead of "the same" or "Of …".'
  const found = listDocstrings().filter(({ text }) => leaning.test(text))
  expect(found, advice).toEqual([])
})

test('no comment begins like a question', () => {
  const comments = sources().flatMap(({ file, source }) =>
    listComments(source).map((text) => ({ file, text })),
  )
  expect(comments.length).toBeGreaterThan(5000)
  const advice = 'Begin with the noun or verb: "Maximum retries", not "How often it is tried".'
  expect(
    comments.filter(({ text }) => beginsLikeQuestion.test(text)),
    advice,
  ).toEqual([])
})

/** Words with an s at their end that begin a docstring but say nothing of what the function does. */
const notVerbs = new Set(['As', 'Is', 'Its', 'Lines', 'Others', 'Rows', 'This', 'Was', 'Words'])

const listed = ['ls-files', '--cached', '--others', '--exclude-standard']

/** Lists every docstring with its file. */
function listDocstrings(): { file: string; text: string }[] {
  return sources().flatMap(({ file, source }) =>
    [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\//g)].map(([, text = '']) => ({
      file,
      text: text.replace(/\s+\*? ?/g, ' ').trim(),
    })),
  )
}

/** Lists the first word of each docstring in front of a function, with its place. */
function listFunctionDocstrings(): { file: string; name: string; first: string }[] {
  const docstring = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//
  const named = /(?:export )?(?:async )?function\*? (\w+)/
  const pattern = new RegExp(`^ *(${docstring.source})\n *${named.source}`, 'gm')
  return sources().flatMap(({ file, source }) =>
    [...source.matchAll(pattern)].map(([, text = '', name = '']) => ({
      file,
      name,
      first: text.match(/[^\s*/,:.]+/)?.[0] ?? '',
    })),
  )
}

function sources(): { file: string; source: string }[] {
  return String(execFileSync('git', [...listed, '*.ts', '*.tsx', '*.mts', '*.mjs']))
    .trim()
    .split('\n')
    .filter(existsSync)
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }))
}

function violations({ file, line, text }: PlacedText): string[] {
  const prose = text.replace(/`[^`]*`|--wire\b.*|\bfields? wire\b/g, '`…`')
  return glossary
    .filter(({ not, except }) => not.test(prose) && !except?.test(file))
    .map(({ but }) => `${file}:${line} "${text}" -> say: ${but}`)
}

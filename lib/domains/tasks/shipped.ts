import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { type TaskInput, tasks } from './shape'
import { taskVerbs } from './verbs'

/**
 * The tasks that come with Toolgate. They are coordinations whose roles have the configuration that is picked for the run,
 * so they work on every site. Once added, they are tasks like others.
 */
const shippedTasks = [
  {
    identifier: 'review-plan',
    name: 'Review a plan',
    description:
      'One role reviews a plan, one looks for what can go wrong, one for what is missing; the last writes the review.',
    prompt: `Review the plan below. Say whether it can be carried out as it stands, what must change first, and what should be watched while it runs.

The plan:
{{plan}}

What it has to fit, such as rules, dates and budgets (may be empty):
{{limits}}`,
    variables: [
      { name: 'plan', label: 'Plan', type: 'long-text' },
      { name: 'limits', label: 'What it has to fit', type: 'long-text', required: false },
    ],
    panel: {
      kind: 'coordinate',
      proposer: {
        instructions:
          'You are the proposer: you write the first review of the plan. Go through it step by step, in its order. For each step, say what it achieves, what it needs beforehand and how one would notice that it failed. End with a judgement: go ahead, go ahead after changes, or do not.',
      },
      critics: [
        {
          instructions:
            'You are a critic who looks for what can go wrong. Read the plan, then its review. Which step can fail, at the worst moment, and what would be lost? Can it be undone? Does the review see that? Quote the words that each issue is about. Object only to what would do harm.',
        },
        {
          instructions:
            'You are a critic who looks for what is missing. Read the plan, then its review. Which assumption did nobody check, who was not asked, which step, cost or date is left out? Quote the words that each issue is about, or those next to the gap. Do not repeat what the review says.',
        },
      ],
      synthesizer: {
        instructions:
          'You are the synthesizer: you write the final review for the person who has to decide. Begin with the judgement in one sentence. Then list what must change before the plan begins, the most important first, each with its reason. Then say what to watch. Say what you took from the critics and what you did not. You have no tools.',
      },
      tools: [],
    },
  },
  {
    identifier: 'compare-answers',
    name: 'Compare two answers',
    description:
      'One role judges which of two answers is better, one argues for the other answer; the last decides.',
    prompt: `Two answers to one question are below. Which one serves the person who asked better, and why?

The question:
{{question}}

Answer A:
{{answer_a}}

Answer B:
{{answer_b}}

What counts most (may be empty):
{{criteria}}`,
    variables: [
      { name: 'question', label: 'Question', type: 'long-text' },
      { name: 'answer_a', label: 'Answer A', type: 'long-text' },
      { name: 'answer_b', label: 'Answer B', type: 'long-text' },
      { name: 'criteria', label: 'What counts most', type: 'long-text', required: false },
    ],
    panel: {
      kind: 'coordinate',
      proposer: {
        instructions:
          'You are the proposer: you make the first judgement. Compare the two answers point by point: is it true, does it answer the question, is it complete, can one act on it? Neither the length nor the order of the answers counts. Name A, B or neither as the better one.',
      },
      critics: [
        {
          instructions:
            'You are a critic who speaks for the answer that the judgement did not choose. Find the strongest reasons why it is the better one, and where the judgement overlooked a fault of the other. Quote the words that each issue is about. Accept the judgement when nothing honest speaks against it.',
        },
      ],
      synthesizer: {
        instructions:
          'You are the synthesizer: you decide. Begin with A, B or neither, then give the reasons that decided it. Say how sure you are and what would change your mind. Say what you took from the critic and what you did not. You have no tools.',
      },
      tools: [],
    },
  },
  {
    identifier: 'check-text',
    name: 'Check a text against sources',
    description:
      'One role checks each statement of a text against its sources, one checks that check; the last lists what holds.',
    prompt: `Check each statement of the text below against the sources. A statement holds only where a source says it.

The text:
{{text}}

The sources, as text or as addresses of web pages, one below the other:
{{sources}}`,
    variables: [
      { name: 'text', label: 'Text', type: 'long-text' },
      { name: 'sources', label: 'Sources', type: 'long-text' },
    ],
    panel: {
      kind: 'coordinate',
      proposer: {
        instructions:
          'You are the proposer: you make the check. If a source is an address and you have a tool that reads web pages, read it. Take the text apart into its statements. For each one, say whether a source supports it, contradicts it or is silent, with the exact words of the source as evidence. If you have a tool that checks texts, verify with it that the words you quote are there. What you could not read, name so.',
        hops: 6,
      },
      critics: [
        {
          instructions:
            'You are a critic: you check the check. Are the quoted words in the sources, and do they mean what is claimed? If you have a tool that checks texts, verify quotes with it. Which statement of the text was left out, and which source was not read? Quote the words that each issue is about.',
          hops: 4,
        },
      ],
      synthesizer: {
        instructions:
          'You are the synthesizer: you write the result. List the statements in three groups: supported, contradicted, not covered; each with the words of the source it rests on. Then say in one sentence whether the text can be published as it is. Say what you took from the critic and what you did not. You have no tools.',
      },
      tools: ['fetch_url', 'verify'],
    },
  },
] as const satisfies readonly TaskInput[]

export const ShippedIdentifier = z.enum(shippedTasks.map(({ identifier }) => identifier))

/** `isAdded`: this installation has a task with its identifier. */
const ShippedTask = z.object({
  identifier: ShippedIdentifier,
  name: z.string(),
  description: z.string(),
  isAdded: z.boolean(),
})

export const listShippedTasks = verb({
  name: 'task.list-shipped',
  role: 'admin',
  scope: tasks.scopes.read,
  summary: 'Lists the tasks that come with Toolgate.',
  input: z.object({}),
  output: z.array(ShippedTask),
  transaction: false,
  run: async () => {
    const identifiers = shippedTasks.map(({ identifier }) => identifier)
    const where = { identifier: { in: identifiers } }
    const here = await db().task.findMany({ where, select: { identifier: true } })
    const added = new Set(here.map(({ identifier }) => identifier))
    return shippedTasks.map(({ identifier, name, description }) => ({
      identifier,
      name,
      description,
      isAdded: added.has(identifier),
    }))
  },
})

/** Throws ConflictError when there is a task with its identifier. */
export const addShippedTask = verb({
  name: 'task.add-shipped',
  role: 'admin',
  scope: tasks.scopes.write,
  summary: 'Adds a task that comes with Toolgate.',
  input: z.object({ identifier: ShippedIdentifier }),
  output: z.object({ id: z.string() }),
  transaction: false,
  audits: ['task.create'],
  run: ({ ctx }, { identifier }) => {
    const found = shippedTasks.find((task) => task.identifier === identifier)
    if (!found) throw new Error(`There is no shipped task ${identifier}.`)
    return taskVerbs.create(ctx, structuredClone<TaskInput>(found))
  },
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicBlocks } from './__fixtures__/dialects/anthropic-blocks'
import { anthropicEnds } from './__fixtures__/dialects/anthropic-ends'
import { chatCalls } from './__fixtures__/dialects/chat-calls'
import { chatEnds } from './__fixtures__/dialects/chat-ends'
import { chatLoose } from './__fixtures__/dialects/chat-loose'
import { chatThinking } from './__fixtures__/dialects/chat-thinking'
import { chatUsage } from './__fixtures__/dialects/chat-usage'
import { ollamaAnswers } from './__fixtures__/dialects/ollama-answers'
import { responsesAnswers } from './__fixtures__/dialects/responses-answers'
import { responsesCalls } from './__fixtures__/dialects/responses-calls'
import {
  cutsByLine,
  expectResult,
  expectSameOrClean,
  inPieces,
  read,
} from './__fixtures__/read-recording'

const cases = [
  ...chatEnds,
  ...chatCalls,
  ...chatThinking,
  ...chatLoose,
  ...chatUsage,
  ...anthropicEnds,
  ...anthropicBlocks,
  ...ollamaAnswers,
  ...responsesAnswers,
  ...responsesCalls,
]

/** A filter may still object when the answer has ended well: a cut between both is the answer that ended well. */
const endsTwice = /after the end$/

describe.each(cases)('$wire, $name', ({ name, wire, answer, expected, native }) => {
  const bytes = Buffer.from(answer)
  const whole = read(wire, [bytes])

  it('is read right', () => {
    expectResult(whole, expected)
    const given = whole.finish?.native
    expect(given === undefined ? undefined : JSON.parse(given)).toEqual(native)
  })

  it('is read the same byte by byte and with CRLF', () => {
    expect(read(wire, inPieces(bytes, 1))).toEqual(whole)
    const crlf = Buffer.from(answer.replaceAll('\n', '\r\n'))
    expect(read(wire, inPieces(crlf, 7))).toEqual(whole)
  })

  it('never runs an incomplete call, wherever the stream is cut', () => {
    for (const at of cutsByLine(bytes)) {
      const cut = read(wire, [bytes.subarray(0, at)])
      if (whole.finish && !endsTwice.test(name)) expectSameOrClean(cut, whole)
      else expect(cut.finish?.toolCalls ?? []).toEqual([])
    }
  })
})

it('never throws, whatever byte of an answer is damaged', () => {
  const damage = fc.record({
    row: fc.constantFrom(...cases),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    value: fc.integer({ min: 0, max: 255 }),
  })
  fc.assert(
    fc.property(damage, ({ row, place, value }) => {
      const damaged = Buffer.from(row.answer)
      damaged[Math.floor(place * damaged.length)] = value
      read(row.wire, [damaged])
    }),
    { numRuns: 3_000 },
  )
})

it('has a row for every shape, with its source', () => {
  expect(cases.length).toBeGreaterThan(100)
  expect(new Set(cases.map(({ wire, name }) => `${wire}: ${name}`)).size).toBe(cases.length)
  for (const { source } of cases) expect(source ?? '(2026-11-23)').toMatch(/\(\d{4}-\d\d-\d\d\)$/)
})

import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Outcome } from '@/lib/protocol/tool'
import { modelTarget } from '@/tests/support/run-fixture'
import {
  call,
  callEnd,
  message,
  ok,
  roundStart,
  runId,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { ReaderRoleProvider } from './reader-role'
import { Trace } from './trace'

const image = {
  id: 'image-1',
  name: 'yard\u202e.png',
  type: 'image/png' as const,
  bytes: 34_816,
  sha256: 'a'.repeat(64),
  dataClass: 'internal-config' as const,
}

/** Opens the call of a run whose models take images or not, in the order of its rounds. */
async function openCall(outcome: Outcome, ...visions: (boolean | null)[]) {
  const { snapshot } = start.data
  const targets = visions.map((vision) => modelTarget({ vision }))
  const begun = { ...start, data: { ...start.data, snapshot: { ...snapshot, targets } } }
  const request = message(1, { finishReason: 'tool-calls', toolCalls: [call('camera', '{}')] })
  const second = roundStart(2, visions.length - 1)
  const rounds = [roundStart(1), request, callEnd('camera', outcome), second]
  render(
    <ReaderRoleProvider value="admin">
      <Trace runId={runId} state={stateOf(begun, ...rounds)} />
    </ReaderRoleProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: /^camera/, expanded: false }))
  const card = within(screen.getByRole('article'))
  await userEvent.click(card.getByText('What the model saw'))
  return card
}

it('shows the images of a result at the call, and says in the model’s text that they came with it', async () => {
  const card = await openCall(ok('The yard, now.', { images: [image] }), true)
  const list = within(card.getByRole('list', { name: 'Images of the result' }))
  const link = list.getByRole('link')
  expect(link).toHaveAttribute('href', '/api/v1/files/image-1/content')
  expect(link).toHaveTextContent('PNG image, 34 KB, Internal configuration')
  expect(list.getByRole('presentation')).toHaveAttribute('src', '/api/v1/files/image-1/content')
  expect(card.getByRole('heading', { name: 'Images (1)' })).toBeVisible()
  expect(card.getByText(/1 image \(PNG, 34 KB\) comes with this result/)).toBeVisible()
  expect(card.queryByText(/not sent/)).toBeNull()
})

it('says what the model of the next round was not sent, and why', async () => {
  const card = await openCall(ok('The yard, now.', { images: [image] }), true, false)
  const why = /1 image \(PNG, 34 KB\) was not sent: this model does not take images\./
  expect(card.getAllByText(why)).toHaveLength(2)
})

it('says what was left out of a result', async () => {
  const sentence = '2 images were left out: not PNG, JPEG, WebP or GIF.'
  const card = await openCall(ok('The yard.', { imagesLeftOut: [sentence] }), true)
  expect(card.getAllByText(new RegExp(sentence))).toHaveLength(2)
  expect(card.queryByRole('list', { name: 'Images of the result' })).toBeNull()
})

it('says that a result is complete, or what it does not have and why', async () => {
  const whole = await openCall(ok('The yard.', { leftOut: [] }), true)
  expect(whole.getByRole('heading', { name: /^Result \(.*, complete\)$/ })).toBeVisible()
  cleanup()
  const leftOut = [{ what: '2 images', why: 'not PNG' }]
  const part = await openCall(ok('The yard.', { leftOut }), true)
  expect(part.getByText('Left out: 2 images (not PNG).')).toBeVisible()
  expect(part.queryByRole('heading', { name: /complete/ })).toBeNull()
})

it('has no part for images where there are none', async () => {
  const card = await openCall(ok('The yard.'), true)
  expect(card.queryByRole('heading', { name: /^Images/ })).toBeNull()
})

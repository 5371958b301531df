import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { filledDraft } from '@/components/schema-form/schema-draft'
import { CallArguments, ChangedArguments } from './call-arguments'
import { shortArguments } from './short-arguments'

const levels = 20_000
const deep = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

it('shows arguments that nest without end as the text they are', () => {
  render(
    <>
      <CallArguments argumentsText={deep} />
      <ChangedArguments before={deep} after={`${deep} `} />
    </>,
  )
  expect(screen.getAllByText(/^\{"a":\[\[\[/).length).toBeGreaterThan(1)
  expect(filledDraft({}, deep)).toEqual({ mode: 'json', text: deep })
  expect(shortArguments(deep)).toMatch(/^\{"a":\[{80,}…$/)
})

import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { AttachText, Textarea } from './textarea'

function Typed({ most }: { most?: number }) {
  const [text, setText] = useState('four')
  return (
    <Textarea
      aria-label="Text"
      value={text}
      {...(most && { most })}
      onChange={({ target }) => setText(target.value)}
    />
  )
}

const paste = (text: string) =>
  fireEvent.paste(screen.getByLabelText('Text'), {
    clipboardData: { files: [], getData: () => text },
  })

test('a paste that exceeds the limit together with the text is refused, which the next input ends', () => {
  render(<Typed most={10} />)
  expect(paste('123456')).toBe(true)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(paste('1234567')).toBe(false)
  expect(screen.getByRole('alert')).toHaveTextContent(
    'The text has 7 characters. This field takes 10 in all, so nothing was inserted.',
  )
  expect(screen.queryByRole('button')).toBeNull()
  fireEvent.change(screen.getByLabelText('Text'), { target: { value: 'five' } })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('text that replaces a selection may be as long as the selection', () => {
  render(<Typed most={10} />)
  const field = screen.getByLabelText<HTMLTextAreaElement>('Text')
  field.setSelectionRange(0, 4)
  expect(paste('1234567890')).toBe(true)
})

test('a dropped text that is too long can be attached as a file, where files can be', () => {
  const attach = vi.fn()
  render(
    <AttachText value={attach}>
      <Typed />
    </AttachText>,
  )
  const text = 'x'.repeat(200_001)
  const dataTransfer = { files: [], getData: () => text }
  expect(fireEvent.drop(screen.getByLabelText('Text'), { dataTransfer })).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Attach as file' }))
  expect(attach).toHaveBeenCalledWith(text)
  expect(screen.queryByRole('alert')).toBeNull()
})

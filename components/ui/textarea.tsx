'use client'
import { type ComponentProps, createContext, type DragEvent, use, useState } from 'react'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { formatCount } from '@/lib/words/format'
import { Button } from './button'
import { cn } from './cn'
import { controlStyles, typedStyles } from './control-styles'

/** Attaches a text that is too long for a field as a file; null where no file can be attached. */
export const AttachText = createContext<((text: string) => void) | null>(null)

type Props = ComponentProps<'textarea'> & {
  /** The most characters that can be pasted into it or dropped on it. */
  most?: number
}

/**
 * Shows a text field that grows with its text up to the `max-h-*` given by the caller. A pasted or dropped text that does not
 * fit is not inserted, which a sentence says.
 */
export function Textarea({ className, most = maxPromptCharacters, onChange, ...props }: Props) {
  const attach = use(AttachText)
  const [tooLong, setTooLong] = useState<string | null>(null)
  /** Returns whether the text was refused. */
  const refuse = (text: string, { value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    const isRefused = value.length - (selectionEnd - selectionStart) + text.length > most
    setTooLong(isRefused ? text : null)
    return isRefused
  }
  const drop = (event: DragEvent<HTMLTextAreaElement>) => {
    const text = event.dataTransfer.getData('text/plain')
    if (event.dataTransfer.files.length === 0 && refuse(text, event.currentTarget))
      event.preventDefault()
  }
  return (
    <>
      <textarea
        className={cn(
          controlStyles,
          typedStyles,
          'field-sizing-content block min-h-20 resize-y px-2.5 py-1.5',
          className,
        )}
        {...props}
        onPaste={(event) => {
          const { files } = event.clipboardData
          const text = event.clipboardData.getData('text/plain')
          if (files.length === 0 && refuse(text, event.currentTarget)) event.preventDefault()
        }}
        onDrop={drop}
        onChange={(event) => {
          setTooLong(null)
          onChange?.(event)
        }}
      />
      {tooLong !== null && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-error text-sm">
          <p>
            The text has {formatCount(tooLong.length)} characters. This field takes{' '}
            {formatCount(most)} in all, so nothing was inserted.
          </p>
          {attach && (
            <Button
              size="sm"
              onClick={() => {
                attach(tooLong)
                setTooLong(null)
              }}
            >
              Attach as file
            </Button>
          )}
        </div>
      )}
    </>
  )
}

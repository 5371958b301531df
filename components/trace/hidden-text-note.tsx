import { TriangleAlert } from 'lucide-react'
import { hiddenWords } from '@/lib/words/hidden-text'
import { VisibleText } from './visible-text'

/** Warns of characters in a text, or in the texts of a value, that models read and people do not see; nothing where there are none. */
export function HiddenTextNote({ of: value }: { of: unknown }) {
  const words = hiddenWords(value)
  return words === null ? null : <Warning words={words} />
}

/** Shows a sentence about something that people may not notice by themselves. */
export function Warning({ words }: { words: string }) {
  return (
    <p className="flex items-start gap-2 text-warning [overflow-wrap:anywhere]">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        <VisibleText text={words} />
      </span>
    </p>
  )
}

'use client'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button'

/** Copies `text`; `what` names it: "Copy arguments". */
export function CopyButton({
  text,
  what,
  className,
}: {
  text: string
  what: string
  className?: string
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  // External system: the clock. It removes the check mark again.
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('refused')
    }
  }
  const labels = { idle: `Copy ${what}`, copied: 'Copied', refused: 'The browser refused to copy' }
  const Icon = { idle: Copy, copied: Check, refused: TriangleAlert }[state]
  return (
    <IconButton label={labels[state]} size="sm" className={className} onClick={copy}>
      <Icon aria-hidden />
    </IconButton>
  )
}

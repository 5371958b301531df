'use client'

import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Shows one line that opens. Its content is rendered when it is first opened. `isOpen` = it is open without being asked. */
export function Disclosure({
  summary,
  isOpen = false,
  children,
}: {
  summary: ReactNode
  isOpen?: boolean
  children: ReactNode
}) {
  const [wanted, setWanted] = useState(false)
  const details = useRef<HTMLDetailsElement>(null)
  // External system: the browser, which can open it before React is ready.
  useEffect(() => {
    if (details.current?.open) setWanted(true)
  }, [])
  return (
    <details
      ref={details}
      open={isOpen || undefined}
      suppressHydrationWarning
      className="text-sm"
      onToggle={(event) => event.currentTarget.open && setWanted(true)}
    >
      <summary className="flex min-h-7 w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-muted hover:text-strong pointer-coarse:min-h-10 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 transition-transform [[open]>summary>&]:rotate-90"
          aria-hidden
        />
        <span>{summary}</span>
      </summary>
      {(wanted || isOpen) && <div className="pt-1 pl-5">{children}</div>}
    </details>
  )
}

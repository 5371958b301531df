'use client'
import { useEffect, useRef, useState } from 'react'
import { cn } from './cn'
import { indexedSection } from './section'

type Entry = { id: string; title: string }

/** With one section, there is nothing to find. */
const fewest = 2
/** A section is in view when its heading has passed this line, which is below the bar above every page. */
const lineBelowBar = 96

/**
 * Shows links to the sections of the page beside them, and marks the one in view. It reads them from the page, so that what the
 * page leaves out is not linked. Narrow screens have no place for it.
 */
export function SideIndex() {
  const nav = useRef<HTMLElement>(null)
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [current, setCurrent] = useState<string | null>(null)
  // The page beside it, and how far it is scrolled.
  useEffect(() => {
    const page = nav.current?.nextElementSibling
    if (!page) return
    const read = () => setEntries((known) => unlessSame(known, readEntries(page)))
    const mark = () => setCurrent(sectionInView(page))
    const observer = new MutationObserver(() => {
      read()
      mark()
    })
    observer.observe(page, { childList: true, subtree: true, characterData: true })
    window.addEventListener('scroll', mark, { passive: true })
    read()
    mark()
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', mark)
    }
  }, [])
  return (
    <nav
      ref={nav}
      aria-label="On this page"
      className="sticky top-18 order-last hidden max-h-[calc(100dvh-6rem)] w-44 shrink-0 self-start overflow-y-auto xl:block"
    >
      {entries.length >= fewest && (
        <ul className="flex flex-col border-l text-sm">
          {entries.map(({ id, title }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === current ? 'location' : undefined}
                className={cn(
                  '-ml-px block border-l-2 py-1 pl-3 transition-colors',
                  id === current
                    ? 'border-link font-medium text-strong'
                    : 'border-transparent text-muted hover:text-strong',
                )}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

function sectionsOf(page: Element): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>(`[${indexedSection}]`)]
}

function readEntries(page: Element): Entry[] {
  return sectionsOf(page).map((section) => ({
    id: section.id,
    title: section.querySelector('h2')?.textContent ?? '',
  }))
}

function unlessSame(known: readonly Entry[], read: readonly Entry[]): readonly Entry[] {
  return JSON.stringify(known) === JSON.stringify(read) ? known : read
}

/** Returns the id of the last section whose heading has passed the line; at the end of the page, of the last one. */
function sectionInView(page: Element): string | null {
  const sections = sectionsOf(page)
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement
  const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
  const passed = sections.filter((each) => each.getBoundingClientRect().top <= lineBelowBar)
  return (isAtEnd ? sections : passed).at(-1)?.id ?? null
}

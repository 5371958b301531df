import Link from 'next/link'
import type { ReactNode } from 'react'
import { Section } from '@/components/ui/section'

/** Shows one section of the settings: heading, related link, and its fields or a sentence. */
export function SettingsSection({
  title,
  more,
  children,
}: {
  title: string
  more?: { href: string; label: string }
  children: ReactNode
}) {
  const link = more && (
    <Link href={more.href} className="text-link underline-offset-2 hover:underline">
      {more.label}
    </Link>
  )
  return (
    <div className="max-w-160 rounded-md border bg-surface-1 p-3 sm:p-4">
      <Section id={anchorOf(title)} title={title} action={link}>
        {children}
      </Section>
    </div>
  )
}

/** Returns the anchor of a section: "Site file" -> "site-file". */
function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

'use client'

import { Wrench } from 'lucide-react'
import Link from 'next/link'
import type { MendPlace } from '@/lib/protocol/failure-words'
import { useReaderRole } from './reader-role'
import { VisibleText } from './visible-text'

/** What a failed run used; null = not known, or none, as a test of a model has no configuration. */
export type MendFacts = {
  connection: { id: string; name: string } | null
  model: { id: string; name: string } | null
  configuration: { id: string; name: string } | null
}

type Way = { href: string; label: string; asked: string }

/** Shows admins a link to the page where they can fix the cause, and tells members what to ask an admin for. */
export function MendLink({ place, facts }: { place: MendPlace; facts: MendFacts }) {
  const admin = useReaderRole() === 'admin'
  const way = wayTo(place, facts)
  if (!way) return null
  if (!admin) {
    return (
      <span className="text-muted [overflow-wrap:anywhere]">
        <VisibleText text={way.asked} />
      </span>
    )
  }
  return (
    <Link
      href={way.href}
      className="inline-flex items-center gap-1 text-link [overflow-wrap:anywhere] hover:underline"
    >
      <Wrench className="size-4 shrink-0" aria-hidden />
      <VisibleText text={way.label} />
    </Link>
  )
}

function wayTo(place: MendPlace, { connection, model, configuration }: MendFacts): Way | null {
  switch (place) {
    case 'key':
      return (
        connection && {
          href: `/connections/${connection.id}#key`,
          label: `Check the key of ${connection.name}`,
          asked: `Ask an admin to check the key of ${connection.name}.`,
        }
      )
    case 'connection':
      return (
        connection && {
          href: `/connections/${connection.id}`,
          label: `Open the connection ${connection.name}`,
          asked: `If this stays, ask an admin to check the connection ${connection.name}.`,
        }
      )
    case 'model':
      return (
        model && {
          href: `/models/${model.id}`,
          label: `Open the model ${model.name}`,
          asked: `Ask an admin to check the model ${model.name}.`,
        }
      )
    case 'configuration':
      return (
        configuration && {
          href: `/configurations/${configuration.id}`,
          label: `Open the configuration ${configuration.name}`,
          asked: `If you need more, ask an admin to change the configuration ${configuration.name}.`,
        }
      )
    case 'budgets':
      return {
        href: '/budgets',
        label: 'Open the budgets',
        asked: 'If you need it sooner, ask an admin to raise the budget.',
      }
    default:
      return place satisfies never
  }
}

import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { TooltipProvider } from '@/components/ui/tooltip'
import { connectionPresets } from '@/lib/domains/connections/presets'
import { type ConnectionDraft, draftOfPreset, emptyDraft } from './connection-draft'
import { ConnectionFields } from './connection-fields'

function Form({ first }: { first: ConnectionDraft }) {
  const [draft, setDraft] = useState(first)
  return (
    <TooltipProvider>
      <ConnectionFields
        draft={draft}
        errors={{ 'settings.project': 'Enter the project.' }}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </TooltipProvider>
  )
}

const field = (name: RegExp) => screen.getByRole('textbox', { name })

test('Vertex AI asks for project and location, and shows where its requests go', () => {
  const preset = connectionPresets.find(({ id }) => id === 'vertex')
  render(<Form first={preset ? draftOfPreset(preset) : emptyDraft} />)
  expect(screen.getByRole('combobox', { name: 'Authentication' })).toHaveTextContent(
    'Service account (Vertex AI)',
  )
  expect(field(/^Project$/)).toHaveAccessibleDescription(/Enter the project\./)
  expect(field(/^Sign-in address ?\(optional\)$/)).toHaveValue('')
  const address = field(/^Base URL ?\(optional\)$/)
  expect(address).toHaveAttribute('placeholder', 'https://aiplatform.googleapis.com')
  fireEvent.change(field(/^Location$/), { target: { value: 'europe-west4' } })
  expect(address).toHaveAttribute('placeholder', 'https://europe-west4-aiplatform.googleapis.com')
  fireEvent.change(field(/^Location$/), { target: { value: 'europe-' } })
  expect(field(/^Base URL ?\(optional\)$/)).toHaveAccessibleDescription(
    'Leave empty to ask Google in the location below.',
  )
})

test('the Gemini API asks for neither', () => {
  render(<Form first={{ ...emptyDraft, wire: 'gemini' }} />)
  expect(screen.queryByRole('textbox', { name: /Project|Location|Sign-in/ })).toBeNull()
  expect(field(/^Base URL ?\(optional\)$/)).toHaveAttribute(
    'placeholder',
    'https://generativelanguage.googleapis.com',
  )
})

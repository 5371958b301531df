import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import {
  type ConnectionSetting,
  settingsFor,
  settingValue,
} from '@/lib/protocol/connection-settings'
import type { ConnectionDraft } from './connection-draft'
import type { ConnectionErrors } from './connection-errors'

type FieldsProps = {
  draft: ConnectionDraft
  errors: ConnectionErrors['fields']
  onChange: (part: Partial<ConnectionDraft>) => void
}

/** Shows the settings of the picked API type. Most types have none. */
export function SettingFields({ draft, errors, onChange }: FieldsProps) {
  const set = (key: string) => (value: string) =>
    onChange({ settings: { ...draft.settings, [key]: value } })
  return settingsFor(draft.wire, draft.settings).map((setting) => (
    <SettingField
      key={setting.key}
      setting={setting}
      value={settingValue(draft.wire, draft.settings, setting.key) ?? ''}
      error={errors[`settings.${setting.key}`]}
      onChange={set(setting.key)}
    />
  ))
}

type Props = {
  setting: ConnectionSetting
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function SettingField({ setting, value, error, onChange }: Props) {
  const { key, label, hint, required, choices } = setting
  return (
    <Field
      id={`setting-${key}`}
      label={label}
      optional={!required && !choices}
      hint={hint}
      error={error}
    >
      {(control) =>
        choices ? (
          <Select {...control} options={choices} value={value} onValueChange={onChange} />
        ) : (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

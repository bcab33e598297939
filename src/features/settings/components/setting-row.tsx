import { SegmentedControl, Switch, TextInput } from '@mantine/core'
import { Lock } from 'lucide-react'
import { formatCount } from '#lib/format.ts'
import {
  defaultPreferences,
  preferenceBounds,
  preferences,
  usePreferences,
} from '#lib/storage/preferences.ts'
import { NumberField } from '#ui/inputs/number-field.tsx'
import type {
  ChoiceSetting,
  NumberSetting,
  Setting,
  SwitchSetting,
  TextSetting,
} from '../model/settings.ts'
import classes from './setting-row.module.css'

export function SettingRow({ setting }: { readonly setting: Setting }) {
  usePreferences()
  const reason = preferences.lockReason(setting.key)
  return (
    <div className={classes.row} data-setting>
      <div className={classes.words}>
        <span className={classes.label} id={`setting-${setting.key}`}>
          {setting.label}
        </span>
        <span className={classes.effect}>
          {setting.effect} Default: {defaultText(setting)}.
        </span>
        {reason !== null && (
          <span className={classes.locked} id={`locked-${setting.key}`}>
            <Lock size={12} aria-hidden="true" /> Locked by this server. {reason}
          </span>
        )}
      </div>
      {reason === null ? (
        <Control setting={setting} />
      ) : (
        <fieldset
          className={classes.control}
          disabled
          aria-label={setting.label}
          aria-describedby={`locked-${setting.key}`}
        >
          <Control setting={setting} />
        </fieldset>
      )}
    </div>
  )
}

function Control({ setting }: { readonly setting: Setting }) {
  switch (setting.kind) {
    case 'choice':
      return <Choice setting={setting} />
    case 'number':
      return <Whole setting={setting} />
    case 'switch':
      return <Toggle setting={setting} />
    case 'text':
      return <Words setting={setting} />
  }
}

function Choice({ setting }: { readonly setting: ChoiceSetting }) {
  const value = usePreferences()[setting.key]
  return (
    <SegmentedControl
      aria-labelledby={`setting-${setting.key}`}
      value={value}
      data={[...setting.choices]}
      onChange={(next) => preferences.set({ [setting.key]: next })}
    />
  )
}

function Whole({ setting }: { readonly setting: NumberSetting }) {
  const value = usePreferences()[setting.key]
  const [min, max] = preferenceBounds[setting.key]
  return (
    <NumberField
      aria-labelledby={`setting-${setting.key}`}
      className={classes.number}
      value={value}
      min={min}
      max={max}
      unit={setting.unit}
      onChange={(next) => preferences.set({ [setting.key]: next })}
    />
  )
}

function Words({ setting }: { readonly setting: TextSetting }) {
  const value = usePreferences()[setting.key]
  return (
    <TextInput
      aria-labelledby={`setting-${setting.key}`}
      value={value}
      maxLength={setting.lettersMax}
      onChange={(event) => preferences.set({ [setting.key]: event.currentTarget.value })}
    />
  )
}

function Toggle({ setting }: { readonly setting: SwitchSetting }) {
  const value = usePreferences()[setting.key]
  return (
    <Switch
      aria-labelledby={`setting-${setting.key}`}
      checked={value}
      onChange={(event) => preferences.set({ [setting.key]: event.currentTarget.checked })}
    />
  )
}

function defaultText(setting: Setting): string {
  const value = defaultPreferences[setting.key]
  switch (setting.kind) {
    case 'choice':
      return (setting.choices.find((choice) => choice.value === value)?.label ?? '').toLowerCase()
    case 'number':
      return `${formatCount(Number(value))} ${setting.unit}`
    case 'switch':
      return value === true ? 'on' : 'off'
    case 'text':
      return 'none'
  }
}

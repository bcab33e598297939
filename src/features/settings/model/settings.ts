/** Each preference with its words, its choices and what it is without being set. */
import {
  type BoundedPreference,
  ENVIRONMENT_LETTERS_MAX,
  type Preferences,
} from '#lib/storage/preferences.ts'

interface SettingBase {
  readonly label: string
  readonly effect: string
}

export interface ChoiceSetting extends SettingBase {
  readonly kind: 'choice'
  readonly key:
    | 'colorScheme'
    | 'density'
    | 'timeZone'
    | 'numberFormat'
    | 'environmentColor'
    | 'writeGuard'
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export interface NumberSetting extends SettingBase {
  readonly kind: 'number'
  readonly key: BoundedPreference
  readonly unit: string
}

export interface SwitchSetting extends SettingBase {
  readonly kind: 'switch'
  readonly key: 'includeConsoleTraffic' | 'groupLeaves' | 'reducedMotion'
}

export interface TextSetting extends SettingBase {
  readonly kind: 'text'
  readonly key: 'environment'
  readonly lettersMax: number
}

export type Setting = ChoiceSetting | NumberSetting | SwitchSetting | TextSetting

interface SettingSection {
  readonly title: string
  readonly settings: readonly Setting[]
}

export const sections: readonly SettingSection[] = [
  {
    title: 'Appearance',
    settings: [
      {
        kind: 'choice',
        key: 'colorScheme',
        label: 'Theme',
        effect: 'Colours of the whole console, charts and canvas included.',
        choices: [
          { value: 'auto', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ],
      },
      {
        kind: 'choice',
        key: 'density',
        label: 'Density',
        effect: 'Height of table rows and controls.',
        choices: [
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ],
      },
      {
        kind: 'choice',
        key: 'numberFormat',
        label: 'Numbers',
        effect: 'How counts and figures are written. Values of attributes stay as they are.',
        choices: [
          { value: 'comma', label: '1,234.5' },
          { value: 'point', label: '1.234,5' },
          { value: 'space', label: '1 234,5' },
          { value: 'none', label: '1234.5' },
        ],
      },
      {
        kind: 'switch',
        key: 'reducedMotion',
        label: 'Reduce motion',
        effect: 'No transitions. The setting of the operating system always applies.',
      },
    ],
  },
  {
    title: 'This server',
    settings: [
      {
        kind: 'text',
        key: 'environment',
        label: 'Environment',
        effect: 'Shown in the bar of this browser, for example “production”.',
        lettersMax: ENVIRONMENT_LETTERS_MAX,
      },
      {
        kind: 'choice',
        key: 'environmentColor',
        label: 'Its colour',
        effect: 'A line over the whole console, so that nobody takes one server for another.',
        choices: [
          { value: 'neutral', label: 'Grey' },
          { value: 'success', label: 'Green' },
          { value: 'warning', label: 'Amber' },
          { value: 'danger', label: 'Red' },
        ],
      },
      {
        kind: 'choice',
        key: 'writeGuard',
        label: 'Write guard',
        effect:
          'Whatever would change data, schema or users is let through, asked about, or refused by the server.',
        choices: [
          { value: 'off', label: 'Off' },
          { value: 'confirm', label: 'Ask' },
          { value: 'read-only', label: 'Read-only' },
        ],
      },
    ],
  },
  {
    title: 'Time and live data',
    settings: [
      {
        kind: 'choice',
        key: 'timeZone',
        label: 'Time zone',
        effect: 'How times of day are written. DATETIME attributes are always UTC.',
        choices: [
          { value: 'local', label: 'Local' },
          { value: 'utc', label: 'UTC' },
        ],
      },
      {
        kind: 'number',
        key: 'pollSeconds',
        label: 'Statistics interval',
        effect: 'How often live charts ask the server.',
        unit: 's',
      },
      {
        kind: 'number',
        key: 'latencyLimitMs',
        label: 'Latency limit',
        effect: 'The statistics warn when the 95th percentile stays above it; 0 sets none.',
        unit: 'ms',
      },
      {
        kind: 'number',
        key: 'latencyGraceSeconds',
        label: 'Grace time of the limit',
        effect: 'How long above the limit before the statistics warn: a short peak is no alarm.',
        unit: 's',
      },
      {
        kind: 'switch',
        key: 'includeConsoleTraffic',
        label: 'Count the console’s own requests',
        effect: 'Off, the statistics show your clients only.',
      },
    ],
  },
  {
    title: 'Limits',
    settings: [
      {
        kind: 'number',
        key: 'expandLimit',
        label: 'Neighbours per expansion',
        effect: 'A vertex with more shows the rest as a remainder to page through.',
        unit: 'vertices',
      },
      {
        kind: 'number',
        key: 'canvasLimit',
        label: 'Vertices on the canvas',
        effect: 'Beyond it the explorer warns before it draws more.',
        unit: 'vertices',
      },
      {
        kind: 'switch',
        key: 'groupLeaves',
        label: 'Group leaves',
        effect:
          'A new canvas draws more than 30 leaves of a type at one vertex as one node; B turns it on and off.',
      },
      {
        kind: 'number',
        key: 'rowLimit',
        label: 'Rows of a result',
        effect: 'What tables show at first; exports are never cut.',
        unit: 'rows',
      },
    ],
  },
]

/** Every word of the search occurs in the label or the effect. */
export function matchesSearch(search: string, setting: Setting, title = ''): boolean {
  const text = `${title} ${setting.label} ${setting.effect}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export const settingsFile = (preferences: Preferences): string =>
  `${JSON.stringify({ quiver: 'settings', version: 1, preferences }, null, 2)}\n`

/** What an exported file holds; anything else is refused with a reason. */
export function readSettingsFile(text: string): unknown {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    throw new Error('This file is not JSON.', { cause: error })
  }
  const { quiver, version, preferences } = (file ?? {}) as Readonly<Record<string, unknown>>
  if (quiver !== 'settings') throw new Error('This is not a settings file of Quiver.')
  if (version !== 1) throw new Error('This settings file is from a newer console.')
  return preferences
}

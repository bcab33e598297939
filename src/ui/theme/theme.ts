/**
 * Mantine with the tokens of the console: its own colours never show.
 *
 * Its default theme fails WCAG AA in many places (blue-6 3.55:1, dimmed 3.32:1), so every variable
 * that its parts read for text, borders and fills is a token here. Buttons, switches and check boxes
 * are ink; the accent is for what is selected or has the focus.
 */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

const ink: MantineColorsTuple = [
  '#f0f0f5',
  '#d5d6de',
  '#b6b9c6',
  '#9093a3',
  '#6f7282',
  '#636674',
  '#474955',
  '#363843',
  '#292b35',
  '#1b1c24',
]

const tokens = {
  '--mantine-color-text': 'var(--q-ink)',
  '--mantine-color-body': 'var(--q-surface)',
  '--mantine-color-bright': 'var(--q-ink)',
  '--mantine-color-error': 'var(--q-bad)',
  '--mantine-color-success': 'var(--q-ok)',
  '--mantine-color-placeholder': 'var(--q-ink-3)',
  '--mantine-color-anchor': 'var(--q-accent-ink)',
  '--mantine-color-default': 'var(--q-surface)',
  '--mantine-color-default-hover': 'var(--q-hover)',
  '--mantine-color-default-color': 'var(--q-ink)',
  '--mantine-color-default-border': 'var(--q-line-2)',
  '--mantine-color-dimmed': 'var(--q-ink-3)',
  '--mantine-color-disabled': 'var(--q-sunken)',
  '--mantine-color-disabled-color': 'var(--q-ink-3)',
  '--mantine-color-disabled-border': 'var(--q-line)',
  '--mantine-color-ink-filled': 'var(--q-action)',
  '--mantine-color-ink-filled-hover': 'var(--q-action-hover)',
  '--mantine-color-ink-light': 'var(--q-hover)',
  '--mantine-color-ink-light-hover': 'var(--q-active)',
  '--mantine-color-ink-light-color': 'var(--q-ink)',
  '--mantine-color-ink-text': 'var(--q-ink)',
  '--mantine-color-ink-outline': 'var(--q-ink)',
  '--mantine-color-red-filled': 'var(--q-bad-fill)',
  '--mantine-color-red-filled-hover': 'var(--q-bad-fill-hover)',
  '--mantine-color-red-light': 'var(--q-bad-soft)',
  '--mantine-color-red-light-hover': 'var(--q-bad-soft)',
  '--mantine-color-red-light-color': 'var(--q-bad)',
  '--mantine-color-red-text': 'var(--q-bad)',
  '--mantine-color-red-outline': 'var(--q-bad)',
  '--mantine-color-gray-light-color': 'var(--q-ink-2)',
  '--mantine-color-gray-text': 'var(--q-ink-2)',
  '--mantine-primary-color-contrast': 'var(--q-action-ink)',
}

/** Some parts read the ramps themselves: inputs, check boxes, switches. */
const lightRamp = {
  '--mantine-color-white': 'var(--q-surface)',
  '--mantine-color-gray-0': 'var(--q-shell)',
  '--mantine-color-gray-1': 'var(--q-sunken)',
  '--mantine-color-gray-2': 'var(--q-line)',
  '--mantine-color-gray-3': 'var(--q-line-2)',
  '--mantine-color-gray-4': 'var(--q-field)',
  '--mantine-color-gray-5': 'var(--q-ink-3)',
  '--mantine-color-gray-6': 'var(--q-ink-2)',
}

const darkRamp = {
  '--mantine-color-dark-0': 'var(--q-ink)',
  '--mantine-color-dark-1': 'var(--q-ink-2)',
  '--mantine-color-dark-2': 'var(--q-ink-2)',
  '--mantine-color-dark-3': 'var(--q-ink-3)',
  '--mantine-color-dark-4': 'var(--q-field)',
  '--mantine-color-dark-5': 'var(--q-hover)',
  '--mantine-color-dark-6': 'var(--q-surface)',
  '--mantine-color-dark-7': 'var(--q-surface)',
  '--mantine-color-dark-8': 'var(--q-shell)',
  '--mantine-color-dark-9': 'var(--q-sunken)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...tokens, ...lightRamp },
  dark: { ...tokens, ...darkRamp },
})

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 9, dark: 0 },
  colors: { ink },
  autoContrast: false,
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    if (input.variant !== 'filled') return colors
    return { ...colors, color: input.color === 'red' ? '#ffffff' : 'var(--q-action-ink)' }
  },
  fontFamily: 'var(--q-font)',
  fontFamilyMonospace: 'var(--q-font-mono)',
  fontSizes: {
    xs: 'var(--q-fs-12)',
    sm: 'var(--q-fs-13)',
    md: 'var(--q-fs-13)',
    lg: 'var(--q-fs-14)',
    xl: 'var(--q-fs-16)',
  },
  lineHeights: { sm: '20px', md: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '999px' },
  shadows: { xs: 'var(--q-sh-1)', md: 'var(--q-sh-2)', xl: 'var(--q-sh-3)' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Names, not the components: the theme must not pull the whole kit into the first load.
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: {
      defaultProps: { size: 28, variant: 'subtle', color: 'gray' },
    },
    TextInput: { defaultProps: { size: 'xs' } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: {
      defaultProps: {
        size: 'xs',
        visibilityToggleButtonProps: { 'aria-label': 'Show password' },
      },
    },
    NumberInput: { defaultProps: { size: 'xs', hideControls: true } },
    Select: {
      defaultProps: { size: 'xs', allowDeselect: false, checkIconPosition: 'right' },
    },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs', withThumbIndicator: false } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: {
      defaultProps: { openDelay: 350, withinPortal: true, transitionProps: { duration: 0 } },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { transition: 'pop', duration: 140 },
        position: 'bottom-end',
        // A menu may own menu items only; the placeholder is none.
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        shadow: 'xl',
        overlayProps: { color: 'var(--q-scrim)', backgroundOpacity: 1 },
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
  },
})

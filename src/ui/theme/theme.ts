/**
 * Mantine told to speak our tokens: its own colours never show.
 *
 * Its default theme fails WCAG AA in many places (blue-6 3.55:1, dimmed 3.32:1), so every variable
 * that its parts read for text, borders and fills points at a token here.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const indigo: MantineColorsTuple = [
  '#eeeffd',
  '#dcddfa',
  '#b9bbf4',
  '#a3a8ff',
  '#8085ee',
  '#676ce4',
  '#5a60e0',
  '#4f55d4',
  '#4a4fd4',
  '#3c40bd',
]

const tokens = {
  '--mantine-color-text': 'var(--q-text)',
  '--mantine-color-body': 'var(--q-surface)',
  '--mantine-color-bright': 'var(--q-text)',
  '--mantine-color-error': 'var(--q-danger)',
  '--mantine-color-success': 'var(--q-success)',
  '--mantine-color-placeholder': 'var(--q-faint)',
  '--mantine-color-anchor': 'var(--q-accent-text)',
  '--mantine-color-default': 'var(--q-surface)',
  '--mantine-color-default-hover': 'var(--q-hover)',
  '--mantine-color-default-color': 'var(--q-text)',
  '--mantine-color-default-border': 'var(--q-border-strong)',
  '--mantine-color-dimmed': 'var(--q-muted)',
  '--mantine-color-disabled': 'var(--q-sunken)',
  '--mantine-color-disabled-color': 'var(--q-faint)',
  '--mantine-color-disabled-border': 'var(--q-border)',
  '--mantine-color-indigo-filled': 'var(--q-accent)',
  '--mantine-color-indigo-filled-hover': 'var(--q-accent-hover)',
  '--mantine-color-indigo-light': 'var(--q-selected)',
  '--mantine-color-indigo-light-hover': 'var(--q-selected)',
  '--mantine-color-indigo-light-color': 'var(--q-accent-text)',
  '--mantine-color-indigo-text': 'var(--q-accent-text)',
  '--mantine-color-indigo-outline': 'var(--q-accent-text)',
  '--mantine-color-red-filled': 'var(--q-danger-fill)',
  '--mantine-color-red-filled-hover': 'var(--q-danger-fill-hover)',
  '--mantine-color-red-light': 'var(--q-danger-soft)',
  '--mantine-color-red-light-hover': 'var(--q-danger-soft)',
  '--mantine-color-red-light-color': 'var(--q-danger)',
  '--mantine-color-red-text': 'var(--q-danger)',
  '--mantine-color-red-outline': 'var(--q-danger)',
  '--mantine-color-gray-light-color': 'var(--q-muted)',
  '--mantine-color-gray-text': 'var(--q-muted)',
  '--mantine-primary-color-contrast': 'var(--q-on-accent)',
}

/** Some parts read the ramps themselves: inputs, check boxes, switches. */
const lightRamp = {
  '--mantine-color-white': 'var(--q-surface)',
  '--mantine-color-gray-0': 'var(--q-bg)',
  '--mantine-color-gray-1': 'var(--q-sunken)',
  '--mantine-color-gray-2': 'var(--q-border)',
  '--mantine-color-gray-3': 'var(--q-border-strong)',
  '--mantine-color-gray-4': 'var(--q-border-control)',
  '--mantine-color-gray-5': 'var(--q-faint)',
  '--mantine-color-gray-6': 'var(--q-muted)',
}

const darkRamp = {
  '--mantine-color-dark-0': 'var(--q-text)',
  '--mantine-color-dark-1': 'var(--q-muted)',
  '--mantine-color-dark-2': 'var(--q-muted)',
  '--mantine-color-dark-3': 'var(--q-faint)',
  '--mantine-color-dark-4': 'var(--q-border-control)',
  '--mantine-color-dark-5': 'var(--q-hover)',
  '--mantine-color-dark-6': 'var(--q-surface)',
  '--mantine-color-dark-7': 'var(--q-surface)',
  '--mantine-color-dark-8': 'var(--q-bg)',
  '--mantine-color-dark-9': 'var(--q-sunken)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...tokens, ...lightRamp },
  dark: { ...tokens, ...darkRamp },
})

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 6 },
  colors: { indigo },
  autoContrast: false,
  fontFamily: 'var(--q-font)',
  fontFamilyMonospace: 'var(--q-font-mono)',
  fontSizes: {
    xs: 'var(--q-size-sm)',
    sm: 'var(--q-size-md)',
    md: 'var(--q-size-md)',
    lg: 'var(--q-size-lg)',
    xl: 'var(--q-size-xl)',
  },
  radius: { xs: '2px', sm: '4px', md: '4px', lg: '6px', xl: '8px' },
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
        shadow: 'none',
        transitionProps: { duration: 0 },
        position: 'bottom-end',
        // A menu may own menu items only; the placeholder is none.
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
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
